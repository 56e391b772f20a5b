import { useEffect, useState } from 'preact/hooks';
import { isActive, jobs } from './live.ts';

/** How often rows are asked for again while their run is sent, ms. */
const EVERY = 2000;

/** A text that is another one each time that rows of a run may have changed as it is sent here. */
export function useRunNews(run: string | null): string {
  const [turn, setTurn] = useState(0);
  const job = [...jobs.value.values()].findLast(
    (one) => run !== null && one.run === run && (one.kind === 'send' || one.kind === 'settle'),
  );
  const isSending = job !== undefined && isActive(job);
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(() => setTurn((before) => before + 1), EVERY);
    return () => clearInterval(timer);
  }, [isSending]);
  return `${job?.id ?? ''} ${job?.state ?? ''} ${turn}`;
}
