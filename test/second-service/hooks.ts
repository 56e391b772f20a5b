import type { Received } from './types.ts';

/** What a hook does; the request waits for it. */
export type Action = (request: Received) => unknown;

/** When a hook's action runs, once: beside which side of the request. */
export interface HookOptions {
  side?: 'before' | 'after';
}

interface Hook {
  readonly when: number | ((request: Received) => boolean);
  readonly action: Action;
  readonly side: 'before' | 'after';
  seen: number;
  isOver: boolean;
}

/** Actions that tests place exactly between two requests of a run. */
export class Hooks {
  #hooks: Hook[] = [];

  /** Adds an action; the returned function takes it away again. */
  add(when: Hook['when'], action: Action, options: HookOptions): () => void {
    const hook: Hook = { when, action, side: options.side ?? 'before', seen: 0, isOver: false };
    this.#hooks.push(hook);
    return () => {
      this.#hooks = this.#hooks.filter((held) => held !== hook);
    };
  }

  /** Runs what is to happen right before a request is worked on. */
  async before(request: Received): Promise<void> {
    await this.#run(request, 'before', (hook) =>
      typeof hook.when === 'number' ? request.write && hook.seen + 1 === hook.when : hook.when(request),
    );
  }

  /** Runs what is to happen when a request is worked on and not answered yet. */
  async after(request: Received, hasCommitted: boolean): Promise<void> {
    if (hasCommitted) for (const hook of this.#hooks) hook.seen += 1;
    await this.#run(request, 'after', (hook) =>
      typeof hook.when === 'number' ? hasCommitted && hook.seen === hook.when : hook.when(request),
    );
  }

  async #run(request: Received, side: Hook['side'], isDue: (hook: Hook) => boolean): Promise<void> {
    for (const hook of [...this.#hooks]) {
      if (hook.side !== side || hook.isOver || !isDue(hook)) continue;
      hook.isOver = true;
      await hook.action(request);
    }
  }
}
