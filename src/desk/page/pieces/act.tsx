import { useAttempt } from '../loaded.ts';
import { Button, type ButtonProps } from './button.tsx';
import { ErrorBox } from './error-box.tsx';

interface ActProps extends Omit<ButtonProps, 'onClick' | 'submit'> {
  readonly act: () => Promise<unknown>;
}

/** A button that begins something: it is busy meanwhile, and what goes wrong stands beside it. */
export function Act({ act, busy = false, ...look }: ActProps) {
  const attempt = useAttempt();
  return (
    <>
      <Button {...look} busy={busy || attempt.busy} onClick={() => attempt.attempt(act)} />
      <ErrorBox error={attempt.wrong} />
    </>
  );
}
