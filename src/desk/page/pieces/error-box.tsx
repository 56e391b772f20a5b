import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** What went wrong, by what the server or a job says of it. */
export interface Wrong {
  readonly message: string;
  readonly next: string | null;
  /** The HTTP status, where there is one; 0: the server is not there. */
  readonly status?: number;
}

interface ErrorBoxProps {
  readonly error: Wrong;
  readonly onRetry?: () => void;
}

const GONE = t(
  'catersheet doesn’t answer. Nothing is lost: what was done is kept.',
  'catersheet antwoordt niet. Er is niets kwijt: wat gedaan is, is bewaard.',
);
const UNCLEAR = t(
  'catersheet met a fault of its own. The terminal that it runs in says more.',
  'catersheet liep op een fout van zichzelf. De terminal waarin het draait, zegt er meer over.',
);
const RETRY = t('Try again', 'Opnieuw proberen');

/** What went wrong, where it did, with the way out. */
export function ErrorBox({ error, onRetry }: ErrorBoxProps): JSX.Element {
  const message = error.status === 0 ? say(GONE) : error.message === '' ? say(UNCLEAR) : error.message;
  return (
    <div class="box bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>{message}</p>
        {error.next !== null && error.next !== '' && <p>{error.next}</p>}
        {onRetry !== undefined && (
          <Button small onClick={onRetry}>
            {say(RETRY)}
          </Button>
        )}
      </div>
    </div>
  );
}
