import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import { say, sayCount } from '../../language.ts';
import { Button } from '../../pieces/button.tsx';
import { Icon } from '../../pieces/icon.tsx';

const ONE = t('1 proposal is still open', 'Er staat nog 1 voorstel open');
const OTHER = t('{n} proposals are still open', 'Er staan nog {n} voorstellen open');
const WHAT = t(
  'What is proposed and not taken isn’t used in the plan.',
  'Wat voorgesteld is en niet overgenomen, telt niet mee in het plan.',
);
const TAKE = t('Take them, and make the plan', 'Overnemen, en plan maken');
const LEAVE = t('Make the plan without them', 'Plan maken zonder deze');

interface OpenProps {
  readonly count: number;
  readonly busy: boolean;
  readonly onTake: () => void;
  readonly onLeave: () => void;
}

/** Asks what becomes of proposals that nobody took yet, before a plan is made: it takes the focus. */
export function OpenProposals({ count, busy, onTake, onLeave }: OpenProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="box warn" aria-labelledby="open-proposals">
      <Icon name="warning" />
      <div>
        <h2 id="open-proposals" ref={heading} tabIndex={-1}>
          {sayCount(count, ONE, OTHER)}
        </h2>
        <p>{say(WHAT)}</p>
        <div class="actions">
          <Button small busy={busy} onClick={onTake}>
            {say(TAKE)}
          </Button>
          <Button small disabled={busy} onClick={onLeave}>
            {say(LEAVE)}
          </Button>
        </div>
      </div>
    </section>
  );
}
