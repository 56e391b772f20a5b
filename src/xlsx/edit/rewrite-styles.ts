import { outputMark } from '../../core/header.ts';
import type { MarkTone, Tone } from '../../files/result-sheet.ts';
import { BUILT_IN_IDS, FIRST_OWN_FORMAT } from '../number-formats.ts';
import type { StylePart } from './style-part.ts';
import { NO_PAPER as NO_PAPER_COLOUR, TONES } from './tone-colours.ts';
import { escapeXml } from './xml-write.ts';

/** Stands where the paper under a tint is kept, when there was none. */
const NO_PAPER = `rgb="${NO_PAPER_COLOUR}"`;
const TINTS = [TONES.warn, TONES.bad, TONES.change].map(([paper]) => paper);
const TINTED = new RegExp(`<(?:\\w+:)?fgColor rgb="(?:${TINTS.join('|')})"`);
/** Excel refuses a workbook with more formats than this. */
const MOST_FORMATS = 64_000;

/** Added columns whose texts are sentences. */
const WRAPPED: ReadonlySet<string> = new Set(['#message', '#changes']);

/** Hands out the formats of a result as numbers of a styles part, to which they are added. */
export class RewriteStyles {
  /** Whether some cell may still be tinted by an earlier result. */
  readonly tinted: boolean;
  private readonly part: StylePart;
  private readonly known = new Map<string, number>();
  private readonly sourceFormats: number;

  constructor(part: StylePart) {
    this.part = part;
    this.sourceFormats = part.size('cellXfs');
    this.tinted = Array.from({ length: part.size('fills') }, (_, at) => part.text('fills', at)).some((fill) =>
      TINTED.test(fill),
    );
  }

  /** The user's own format with other paper under it. */
  tint(style: number, tone: MarkTone): number {
    return this.once(`${tone} ${style}`, () => {
      const plain = this.plain(style);
      if (this.part.size('cellXfs') >= MOST_FORMATS) return plain;
      const xf = this.part.text('cellXfs', plain);
      const fill = this.part.add('fills', solid(TONES[tone][0], paperBelow(this.fillOf(xf))));
      return this.part.add('cellXfs', withAttributes(xf, { fillId: String(fill), applyFill: '1' }));
    });
  }

  /** The user's own format without the paper that an earlier result put under it. */
  plain(style: number): number {
    if (!this.tinted || style >= this.sourceFormats) return style;
    return this.once(`plain ${style}`, () => {
      const xf = this.part.text('cellXfs', style);
      const fill = this.fillOf(xf);
      if (!TINTED.test(fill)) return style;
      const below = /<(?:\w+:)?bgColor ([^>]*?)\/>/.exec(fill)?.[1]?.trim() ?? NO_PAPER;
      const restored =
        below === NO_PAPER || /indexed="6[45]"/.test(below)
          ? 0
          : this.part.add('fills', solidXml(below, 'indexed="64"'));
      return this.part.add('cellXfs', withAttributes(xf, { fillId: String(restored) }));
    });
  }

  /** The format of an added cell, by its header's place and name: the status is coloured, sentences are wrapped. */
  added(index: number, header: string, tone: Tone): number {
    if (index === 0) return this.once(`status ${tone}`, () => this.status(tone));
    const wrap = WRAPPED.has(outputMark(header) ?? header);
    return this.once(wrap ? 'wrapped' : 'text', () => this.part.add('cellXfs', xf(0, 0, wrap ? WRAP : '')));
  }

  /** The format of a cell that is shown by a number format code, in a part that knows no others of its own. */
  shown(format: string): number {
    return this.once(`shown ${format}`, () => {
      const own = (): number => {
        const id = FIRST_OWN_FORMAT + this.part.size('numFmts');
        this.part.add('numFmts', `<numFmt numFmtId="${id}" formatCode="${escapeXml(format)}"/>`);
        return id;
      };
      const id = BUILT_IN_IDS[format] ?? own();
      const plain = xf(0, 0, '').replace('numFmtId="0"', `numFmtId="${id}" applyNumberFormat="1"`);
      return id === 0 ? 0 : this.part.add('cellXfs', plain);
    });
  }

  /** The format of an added header, where no header of the user's own is beside it. */
  header(): number {
    return this.once('header', () => this.part.add('cellXfs', xf(this.font({ bold: true }), 0, '')));
  }

  /** A format of the summary. */
  look(look: {
    readonly bold?: boolean;
    readonly size?: number;
    readonly tone?: Tone;
    readonly wrap?: boolean;
    readonly link?: boolean;
  }): number {
    return this.once(`look ${JSON.stringify(look)}`, () => {
      const fill = look.tone === undefined ? 0 : this.part.add('fills', solid(TONES[look.tone][0], NO_PAPER));
      const font = this.font({ ...look, ...(look.link ? { ink: 'FF0563C1' } : {}) });
      return this.part.add('cellXfs', xf(font, fill, look.wrap ? LOOK_WRAP : LOOK));
    });
  }

  private status(tone: Tone): number {
    const [paper, ink] = TONES[tone];
    const fill = this.part.add('fills', solid(paper, NO_PAPER));
    return this.part.add('cellXfs', xf(this.font({ ink }), fill, ''));
  }

  /** The workbook's own first font, changed. */
  private font({ ink, bold, size }: { ink?: string; bold?: boolean; size?: number }): number {
    let font = this.part
      .text('fonts', 0)
      .replace(/\/>$/, (end, _at: number, all: string) =>
        all.indexOf('<', 1) < 0 ? `></${/^<([^\s/>]+)/.exec(all)?.[1] ?? 'font'}>` : end,
      );
    const prefix = /^<(\w+:)?/.exec(font)?.[1] ?? '';
    const put = (xml: string) => {
      font = font.replace(/<\/[^>]+>$/, (end) => `${xml}${end}`);
    };
    if (ink !== undefined) {
      font = font.replace(/<(?:\w+:)?color\b[^>]*\/>/, '');
      put(`<${prefix}color rgb="${ink}"/>`);
    }
    if (size !== undefined) {
      font = font.replace(/<(?:\w+:)?sz\b[^>]*\/>/, '');
      put(`<${prefix}sz val="${size}"/>`);
    }
    if (bold && !/<(?:\w+:)?b\s*\/>/.test(font))
      font = font.replace(/^<[^>]*>/, (start) => `${start}<${prefix}b/>`);
    return this.part.add('fonts', font);
  }

  private fillOf(format: string): string {
    return this.part.text('fills', Number(/\sfillId=["'](\d+)/.exec(format)?.[1] ?? 0));
  }

  private once(key: string, make: () => number): number {
    let made = this.known.get(key);
    if (made === undefined) {
      made = make();
      this.known.set(key, made);
    }
    return made;
  }
}

/** In the summary words and numbers stand at the left and the top. */
const LOOK = '<alignment horizontal="left" vertical="top"/>';
const LOOK_WRAP = '<alignment horizontal="left" vertical="top" wrapText="1"/>';
const WRAP = '<alignment wrapText="1"/>';

function xf(font: number, fill: number, alignment: string): string {
  const start = `<xf numFmtId="0" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyFont="1"${fill > 0 ? ' applyFill="1"' : ''}`;
  return alignment === '' ? `${start}/>` : `${start} applyAlignment="1">${alignment}</xf>`;
}

function solid(paper: string, below: string): string {
  return solidXml(`rgb="${paper}"`, below);
}

function solidXml(front: string, back: string): string {
  return `<fill><patternFill patternType="solid"><fgColor ${front}/><bgColor ${back}/></patternFill></fill>`;
}

/** The colour of a solid fill, in a place where nothing shows it. */
function paperBelow(fill: string): string {
  if (!/patternType="solid"/.test(fill)) return NO_PAPER;
  return /<(?:\w+:)?fgColor ([^>]*?)\/>/.exec(fill)?.[1]?.trim() ?? NO_PAPER;
}

/** An element's text with other values for attributes of its first tag. */
function withAttributes(xml: string, attributes: Readonly<Record<string, string>>): string {
  const tag = /^<[^>]*>/.exec(xml)?.[0] ?? '';
  let changed = tag;
  for (const [name, value] of Object.entries(attributes)) {
    const found = new RegExp(`(\\s${name}=)(?:"[^"]*"|'[^']*')`);
    changed = found.test(changed)
      ? changed.replace(found, `$1"${value}"`)
      : changed.replace(/\s*\/?>$/, (end) => ` ${name}="${value}"${end.trim()}`);
  }
  return changed + xml.slice(tag.length);
}
