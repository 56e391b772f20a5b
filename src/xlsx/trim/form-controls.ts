import { partBytes, type SourceBook } from '../edit/source-book.ts';
import type { XmlElement } from './xml-tree.ts';

/** The buttons, boxes and lists to click on that a sheet has over its cells. */
export interface FormControls {
  readonly count: number;
  /** What else stands in the old kind of drawing, by the ids of the shapes: notes, and objects of other programs. */
  readonly others: ReadonlySet<string>;
}

/** The relationships of a sheet to its controls. */
export const CONTROL_PART = /^(?:ctrlProp|control)$/;
/** The old kind of drawing says what its shapes are; those with an OCX are controls of the newer kind. */
const CONTROL_SHAPE =
  /ObjectType=["'](?:Button|Checkbox|Dialog|Drop|Edit|GBox|Group|Label|List|Movie|Radio|RectA|Scroll|Spin)["']|<x:MapOCX/;
const SHAPE = /<v:(shape|rect|oval|roundrect)\s(?:[^>]*[^/>])?>[\s\S]*?<\/v:\1>\s*/g;
const SHAPE_ID = /\s(?:o:sp)?id=["']([^"']+)["']/g;

/** Finds them among the parts that hang on a sheet; undefined where there are none. Throws DamagedPart. */
export async function formControls(
  { source }: SourceBook,
  related: readonly { readonly type: string; readonly name: string }[],
): Promise<FormControls | undefined> {
  const parts = related.filter(({ type }) => CONTROL_PART.test(type)).length;
  let shapes = 0;
  const others = new Set<string>();
  for (const { type, name } of related) {
    const entry = type === 'vmlDrawing' ? source.directory.find(name) : undefined;
    if (entry === undefined) continue;
    for (const [shape] of (await partBytes(source, entry)).toString('latin1').matchAll(SHAPE)) {
      const tag = shape.slice(0, shape.indexOf('>'));
      if (CONTROL_SHAPE.test(shape)) shapes++;
      else for (const [, id = ''] of tag.matchAll(SHAPE_ID)) others.add(id);
    }
  }
  const count = Math.max(parts, shapes);
  return count === 0 ? undefined : { count, others };
}

/** An old drawing without its controls, each of the other shapes as it becomes. */
export const withoutControls = (drawing: string, trim: (shape: string) => string): string =>
  drawing.replace(SHAPE, (shape) => (CONTROL_SHAPE.test(shape) ? '' : trim(shape)));

/** Whether a member of a worksheet lists its controls. */
export const listsControls = (member: XmlElement): boolean =>
  member.local === 'controls' ||
  (member.local === 'AlternateContent' && [...member.all()].some(({ local }) => local === 'controls'));

/** Whether what stands on a drawing is the picture of a control: of a shape in the old drawing that is not one of the others. */
export const picturesControl = (anchor: XmlElement, others: ReadonlySet<string>): boolean =>
  [...anchor.all()].some((one) => one.local === 'compatExt' && !others.has(one.attribute('spid') ?? ''));
