/** Why a sheet that the program, or the service, writes itself is passed over: English, Dutch. */
export const PASSED_OVER = {
  summary: ['the summary of an earlier result', 'de samenvatting van een eerder resultaat'],
  nested: ['only the service fills it in', 'alleen de dienst vult dit in'],
  undone: ["what can't be taken back", 'wat niet terug te draaien is'],
  base: ['what the records were', 'wat de records waren'],
} as const;
