import type { AnswerKnobs } from './knobs.ts';
import { Shape } from './shapes.ts';
import type { Answer } from './types.ts';
import type { World } from './world.ts';

/** An answer with status 200. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** A new way of writing records, for one answer. */
export function shapeFor(world: World): Shape {
  return new Shape(world.knobs, world.random);
}

/** The answer of a write that was done; deletes spell the flag in their own way. */
export function done(
  world: World,
  idName: string,
  id: number,
  flag: 'success' | 'succes' = 'success',
): Answer {
  const shape = shapeFor(world);
  return ok(shape.finish({ [idName]: shape.id(id), [flag]: shape.success }));
}

/** The answer of a write that was refused, with what is wrong by field. */
export function refuse(
  world: World,
  errors: Record<string, string[]>,
  idName = 'id',
  status?: number,
): Answer {
  const [text = 'The given data was invalid.'] = Object.values(errors).flat();
  const refused = true;
  if (status === 409) return { status, body: { message: text }, refused };
  const habit = status === 422 ? '422' : world.knobs.answers.refusal;
  if (habit === '422')
    return { status: 422, body: { message: 'The given data was invalid.', errors }, refused };
  if (habit === '400') return { status: 400, body: { error: text }, refused };
  if (habit === '200 id 0') return { status: 200, body: { [idName]: 0, success: false }, refused };
  return { status: 200, body: { success: false, message: text }, refused };
}

/** The answer of a read that found nothing. */
export function missing(world: World): Answer {
  const habit = world.knobs.answers.missing;
  if (habit === '404 json') return { status: 404, body: { message: 'Not Found.' }, refused: true };
  if (habit === '404 html') return { ...html(404, 'Not Found'), refused: true };
  return { ...ok(JSON.parse(habit)), refused: true };
}

/** The answer of a write whose record is not there. */
export function missingTarget(world: World, idName: string): Answer {
  const is404 = world.knobs.answers.missing.startsWith('404');
  return is404 ? missing(world) : refuse(world, { [idName]: [`The ${idName} does not exist.`] }, idName);
}

/** A page of the kind proxies and frameworks answer with. */
export function html(status: number, title: string): Answer {
  const head = `<head><title>${title}</title></head>`;
  const body = `<!DOCTYPE html>\n<html>${head}<body><h1>${title}</h1></body></html>\n`;
  return { status, body: Buffer.from(body), type: 'text/html' };
}

/** The answer of a detail read. */
export function detail(world: World, record: Record<string, unknown>): Answer {
  const habit = world.knobs.answers.detail;
  if (habit === 'data') return ok({ data: record });
  return ok(habit === 'array' ? [record] : record);
}

/** The answer of a list, in one of the shapes the document leaves open. */
export function list(
  world: World,
  records: readonly Record<string, unknown>[],
  habit: AnswerKnobs['lists'],
): Answer {
  const { none } = world.knobs.answers;
  if (records.length === 0 && none !== 'empty') return ok(JSON.parse(none));
  const shown = records.slice(0, world.knobs.answers.listCap);
  if (habit === 'data') return ok({ data: shown });
  return ok(habit === 'single when one' && shown.length === 1 ? shown[0] : shown);
}
