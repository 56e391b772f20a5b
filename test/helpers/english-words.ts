/** Words that no Dutch text has; those that Dutch has too (of, is, in, was, over, run, map) are left out. */
const WORDS =
  'all already also an and another answer any are as asked at be because been before both but by can cannot cell cells column columns could date day deleted did do does done each either empty event every failed field fields file files first folder for found from give given has have headers how if invalid it its known leave left less made make may more must name named names neither never new next no nor not nothing number numbers one only or other our out own page passed products read reading row rows said same second see sent service sheet sheets should since skipped some stock such than that the their them then there these they this those through to today too total totals two unchanged unknown until updated use used value values what when where whether which while who why will with without words would write written wrong year yes yet you your';

const ENGLISH: ReadonlySet<string> = new Set(WORDS.split(' '));

/** What reads the same in both languages, or is the program's own: flags, commands, names of fields, addresses. */
const IDENTIFIERS =
  /(?<![\w-])--?[a-z][\w-]*(?:[= ](?:last|mine|theirs|same|other|problems|new|all)(?:\|\w+)*\b)?|catersheet(?: [a-z-]+)*|#\w+|\bnot sent\b|\b(?:[\w-]+\/)+[\w.-]*|\b[\w-]+\.[A-Za-z]\w+\b|\b(?:same|other)(?=:)|\b\w*[a-z][A-Z]\w*|\$\{[^}]*\}|\{[^{}]*\}|[“"'‘][^“”"'’ ]*[”"'’]/g;

/** The English words in a text that should be Dutch. */
export function englishIn(text: string): string[] {
  const plain = text.replace(IDENTIFIERS, ' ');
  const words = plain.match(/\p{L}+(?:-\p{L}+)*/gu) ?? [];
  return words.filter((word) => ENGLISH.has(word.toLowerCase()));
}
