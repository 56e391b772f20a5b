import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process that does one thing after another, as it is told, and may die of it. */
export class Forked<Answer> {
  ended = false;
  done = 0;
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;
  #answer: (answer: Answer | string) => void = () => {};

  constructor(program: string, { execArgv = [] }: { readonly execArgv?: string[] } = {}) {
    const env = { PATH: process.env.PATH ?? '' };
    this.#child = fork(program, { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env });
    this.#ready = once(this.#child, 'message').then(() =>
      this.#child.on('message', (answer) => this.#answer(answer as Answer)),
    );
    this.#child.once('exit', (code, signal) => {
      this.ended = true;
      this.#answer(`died: ${code ?? signal}`);
    });
  }

  /** What it says to a message, or why it says nothing within so many seconds. */
  async ask(message: string | object, seconds: number): Promise<Answer | string> {
    await this.#ready;
    this.done++;
    const answer = await new Promise<Answer | string>((resolve) => {
      const timer = setTimeout(() => resolve(`hang: no end after ${seconds} s`), seconds * 1000);
      this.#answer = (said) => {
        clearTimeout(timer);
        resolve(said);
      };
      this.#child.send(message);
    });
    if (typeof answer === 'string') this.end();
    return answer;
  }

  end(): void {
    this.ended = true;
    this.#child.kill('SIGKILL');
  }
}
