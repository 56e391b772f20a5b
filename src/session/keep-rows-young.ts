import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 make all objects in young space. It else concludes from the first few hundred rows, which are all in
 * use at once, that rows live long, and makes the next ones in old space: planning a large file then takes a
 * quarter longer. For a process of its own, not for a library (docs/adr/0005).
 */
export function keepRowsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
