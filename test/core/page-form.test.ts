import { expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { composed, onPage, t } from '../../src/core/language.ts';

const typed = t('Use --out.', 'Gebruik --out.', t('Choose a name.', 'Kies een naam.'));

test('a text that is made of others is made of their forms for the page there', () => {
  const plain = t('It is there.', 'Het is er.');
  const both = composed([plain, typed], (one, other) => t(`${one.en} ${other.en}`, `${one.nl} ${other.nl}`));
  expect(both).toMatchObject({ en: 'It is there. Use --out.', nl: 'Het is er. Gebruik --out.' });
  expect(onPage(both)).toEqual(t('It is there. Choose a name.', 'Het is er. Kies een naam.'));
  expect(composed([plain], ({ en, nl }) => t(`${en}!`, `${nl}!`))).toEqual(t('It is there.!', 'Het is er.!'));
});

test('the command of a stop is no part of what the page says', () => {
  const command = t('catersheet apply R1', 'catersheet apply R1');
  const { texts } = new StopError(EXIT.usage, t('Stopped.', 'Gestopt.'), {
    next: t('Go on:', 'Ga verder:'),
    command,
  });
  expect(texts.next?.en).toBe('Go on: catersheet apply R1');
  expect(texts.next && onPage(texts.next)).toEqual(t('Go on:', 'Ga verder:'));
});
