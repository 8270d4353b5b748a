/** What comes after the agent has ended: another life of it, or the end of the machine's. */
export type Ending = 'restart' | 'reboot' | 'poweroff' | 'halt';
