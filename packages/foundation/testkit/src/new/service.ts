/** The service that a new method belongs to. */
export type Service = {
  /** `machine`, as its proto file is called. */
  readonly name: string;
  /** `MachineService` */
  readonly type: string;
  /** Where the agent has its handlers. */
  readonly handlers: string;
  /** What tests call it when they start a node with handlers of their own. */
  readonly option: string;
};
