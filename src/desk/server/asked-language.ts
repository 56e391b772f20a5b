import type { Language } from '../../core/language.ts';

/** The language of the page that a browser would rather have; undefined where it names neither. */
export function askedLanguage(header: string | undefined): Language | undefined {
  const asked = (header ?? '').split(',').map((one) => {
    const [name = '', weight = ''] = one
      .trim()
      .toLowerCase()
      .split(/;\s*q=/);
    return { name: name.split('-')[0], weight: weight === '' ? 1 : Number(weight) };
  });
  const wanted = asked.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  return wanted.map(({ name }) => name).find((name) => name === 'nl' || name === 'en');
}
