import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import { say, sayCount } from '../../language.ts';
import { asCallError } from '../../loaded.ts';
import type { Wrong } from '../../pieces/error-box.tsx';
import { announce } from '../../pieces/toast.tsx';
import { uploadDocument } from '../../upload.ts';

const ONE_DONE = t('1 document is there.', '1 document staat erbij.');
const DONE = t('{n} documents are there.', '{n} documenten staan erbij.');

/** Documents on their way here. */
export interface Bringing {
  readonly name: string;
  readonly at: number;
  readonly of: number;
  /** How much of all of them is there, from 0 to 1. */
  readonly part: number;
}

/** A document that was not taken, and why. */
export interface NotTaken extends Wrong {
  readonly name: string;
}

/** Brings documents one after the other; `onDone` hears when all were tried and some were taken. */
export function useBringing(draft: string, onDone: () => void) {
  const bringing = useSignal<Bringing | null>(null);
  const wrong = useSignal<readonly NotTaken[]>([]);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const bring = async (files: readonly File[]): Promise<void> => {
    if (bringing.peek() !== null || files.length === 0) return;
    const total = files.reduce((sum, { size }) => sum + size, 0) || 1;
    wrong.value = [];
    let before = 0;
    let taken = 0;
    let isStopped = false;
    for (const [at, file] of files.entries()) {
      const show = (part: number): void => {
        const done = (before + part * file.size) / total;
        bringing.value = { name: file.name, at: at + 1, of: files.length, part: done };
      };
      show(0);
      const { done, cancel } = uploadDocument(draft, file, show);
      stop.current = () => {
        isStopped = true;
        cancel();
      };
      await done.then(
        () => taken++,
        (error: unknown) => {
          if (isStopped || error instanceof DOMException) return;
          const { message, next, status } = asCallError(error);
          wrong.value = [...wrong.peek(), { name: file.name, message, next, status }];
        },
      );
      before += file.size;
      if (isStopped) break;
    }
    stop.current = null;
    bringing.value = null;
    announce(sayCount(taken, ONE_DONE, DONE));
    if (taken > 0 && !isStopped) onDone();
  };
  return { bringing: bringing.value, wrong: wrong.value, bring, stop: () => stop.current?.() };
}

/** The documents that were not taken, as one thing that went wrong; null for none. */
export function wrongOf(notTaken: readonly NotTaken[]): Wrong | null {
  const [first] = notTaken;
  if (first === undefined) return null;
  if (notTaken.length === 1)
    return { ...first, message: first.message === '' ? '' : `${first.name}: ${first.message}` };
  const names = notTaken.map(({ name }) => name).join(', ');
  return { ...first, message: say(SOME, { names, why: first.message }) };
}

const SOME = t('These were not taken: {names}. {why}', 'Deze zijn niet aangenomen: {names}. {why}');
