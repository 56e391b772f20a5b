import { expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { composed, inOne, onPage, t, withFlag } from '../../src/core/language.ts';

const typed = withFlag(t('Choose a name.', 'Kies een naam.'), '--out');

test('a text that is made of others is made of their forms for the page there', () => {
  const plain = t('It is there.', 'Het is er.');
  const both = inOne([plain, typed]);
  expect(both).toMatchObject({
    en: 'It is there. Choose a name (--out).',
    nl: 'Het is er. Kies een naam (--out).',
  });
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
