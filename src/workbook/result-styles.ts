import type { Fill, Style } from 'exceljs';
import { StyleBook } from './result-cells.ts';
import type { MarkTone, Tone } from './result-sheet.ts';
import { NO_PAPER, TONES } from './tone-colours.ts';

/** Beside a message of several lines every cell of the row stands at its first. */
const TOP = { vertical: 'top' } as const;

/** exceljs's default, which a font that only names a colour would lose. */
export const FONT = { name: 'Calibri', size: 11, family: 2 } as const;

/** Added columns whose texts are sentences. */
const WRAPPED = new Set(['#message', '#changes']);

/** The styles of one result workbook; the same object wherever the same look is meant. */
export class ResultStyles {
  readonly cells = new StyleBook({ alignment: TOP });
  readonly headers = new StyleBook({
    font: { ...FONT, bold: true },
    border: { bottom: { style: 'thin', color: { argb: 'FF808080' } } },
    alignment: TOP,
  });
  /** The user's own cells of which something is said; their ink stays. */
  readonly marked: Record<MarkTone, StyleBook> = {
    warn: new StyleBook({ fill: paperOf('warn'), alignment: TOP }),
    bad: new StyleBook({ fill: paperOf('bad'), alignment: TOP }),
    change: new StyleBook({ fill: paperOf('change'), alignment: TOP }),
  };
  readonly text = new StyleBook({ alignment: TOP }).style(undefined);
  readonly wrapped = new StyleBook({ alignment: { ...TOP, wrapText: true } }).style(undefined);
  readonly tones: Record<Tone, Partial<Style>> = {
    good: toneStyle('good'),
    plain: toneStyle('plain'),
    warn: toneStyle('warn'),
    bad: toneStyle('bad'),
  };
}

/** The style of an added cell, by its header's place and name: the status is coloured, sentences are wrapped. */
export function addedStyle(styles: ResultStyles, index: number, header: string, tone: Tone): Partial<Style> {
  if (index === 0) return styles.tones[tone];
  return WRAPPED.has(header) ? styles.wrapped : styles.text;
}

function paperOf(tone: Tone | MarkTone): Fill {
  return {
    type: 'pattern',
    pattern: 'solid',
    fgColor: { argb: TONES[tone][0] },
    bgColor: { argb: NO_PAPER },
  };
}

function toneStyle(tone: Tone): Partial<Style> {
  return {
    font: { ...FONT, color: { argb: TONES[tone][1] } },
    fill: paperOf(tone),
    alignment: TOP,
  };
}
