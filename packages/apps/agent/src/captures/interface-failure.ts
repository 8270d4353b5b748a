import { CaptureError, type CaptureStatistics } from '@nodecore/capture';

/** An interface that went while others were captured: the capture is not what was asked for, and the caller hears why. */
export function interfaceFailure({ interfaces }: CaptureStatistics): CaptureError | undefined {
  const causes = interfaces.flatMap(({ gone }) => (gone === undefined ? [] : [gone]));
  if (causes.length === 0) return undefined;
  const words = causes.map(({ message }) => message.replace(/^capture: /, ''));
  return new CaptureError(
    'ERR_CAPTURE_INTERFACE_DOWN',
    `${words.join('; ')}; the others were captured to the end`,
    { cause: causes[0] },
  );
}
