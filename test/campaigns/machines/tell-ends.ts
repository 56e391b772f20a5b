import type { MachinesEnd } from './play-machines-round.ts';

/** Prints what came of the rounds of a campaign. */
export function tellEnds(ends: readonly MachinesEnd[]): void {
  for (const { round, findings, journal } of ends) {
    for (const { kind, about } of findings) console.log(`round ${round}: ${kind}: ${about}`);
    if (findings.length > 0 && process.env.JOURNAL) console.log(journal.join('\n'));
  }
  const sum = (count: (end: MachinesEnd) => number) => ends.reduce((total, end) => total + count(end), 0);
  const longest = Math.max(...ends.map(({ ms }) => Math.round(ms / 1000)));
  console.log(
    `${ends.length} rounds, ${sum((end) => end.programs)} programs, ${sum((end) => end.rows)} rows, ${sum((end) => end.unknown)} unknown; the longest round took ${longest} s`,
  );
}
