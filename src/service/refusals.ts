const WINDOW = 50;
/** Fewer answers than this say too little about a share. */
const ENOUGH = 20;

/** Which of the last answers turned a request away. */
export interface Refusals {
  note(refused: boolean): void;
  /** The share of them, 0 to 1; 0 while too few are known. */
  share(): number;
  /** What was answered until now was at another pace. */
  forget(): void;
}

export function openRefusals(): Refusals {
  let last: boolean[] = [];
  return {
    note(refused) {
      last.push(refused);
      if (last.length > WINDOW) last.shift();
    },
    share: () => (last.length < ENOUGH ? 0 : last.filter((refused) => refused).length / last.length),
    forget() {
      last = [];
    },
  };
}
