import { t } from '../../../../core/language.ts';
import { figure, say } from '../../language.ts';

/** As many as go in one go. */
const MOST = 1000;

/** Numbers that were typed or pasted. */
interface Numbers {
  readonly ids: readonly string[];
  /** Why they can't be used as they are; null where they can. */
  readonly wrong: string | null;
}

const NOT_ONE = t('“{word}” is no number.', '“{word}” is geen nummer.');
const TOO_MANY = t('At most {n} in one go.', 'Hoogstens {n} in één keer.');

/** The numbers in a text, each once: between them spaces, commas, semicolons or lines. */
export function numbersIn(text: string): Numbers {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  const wrong = words.find((word) => !/^0*[1-9]\d{0,14}$/.test(word));
  const ids = [...new Set(words.map((word) => word.replace(/^0+/, '')))];
  if (wrong !== undefined) return { ids: [], wrong: say(NOT_ONE, { word: wrong.slice(0, 40) }) };
  return { ids, wrong: ids.length > MOST ? say(TOO_MANY, { n: figure(MOST) }) : null };
}
