/** What the user says of a CSV. */
export interface CsvWishes {
  /** Separator of a CSV; found when absent. */
  readonly delimiter?: string | undefined;
  /** Encoding of a CSV; found when absent. */
  readonly encoding?: string | undefined;
}

/** The reader's options, without what was not said. */
export function csvOptions({ delimiter, encoding }: CsvWishes): { delimiter?: string; encoding?: string } {
  return {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}
