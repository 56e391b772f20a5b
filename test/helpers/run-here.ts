import { runProgram } from '../../src/cli/program.ts';
import { CLI, type CliOptions, type CliResult } from './run-cli.ts';

type Write = typeof process.stdout.write;

/** Keeps what is written to a stream until it is given back. */
function capture(stream: NodeJS.WriteStream): { text(): string; release(): void } {
  const parts: Buffer[] = [];
  const { write } = stream;
  stream.write = ((part: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    parts.push(Buffer.from(part as string));
    const told = [encoding, done].find((one) => typeof one === 'function') as (() => void) | undefined;
    if (told !== undefined) process.nextTick(told);
    return true;
  }) as Write;
  return {
    text: () => Buffer.concat(parts).toString('utf8'),
    release: () => {
      stream.write = write;
    },
  };
}

/** In place: whoever has the environment sees what it holds now. */
function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

/**
 * Runs a command line in this process, with the words, the environment and the folder of a process of its
 * own; one at a time. What a start costs, many times what most commands do, is paid once.
 */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd }: Pick<CliOptions, 'cwd'>,
): Promise<CliResult> {
  const before = { argv: process.argv, env: { ...process.env }, cwd: process.cwd() };
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  try {
    process.argv = [process.execPath, CLI, ...args];
    setEnvironment(env);
    if (cwd !== undefined) process.chdir(cwd);
    const code = await runProgram(args);
    return { code, stdout: out.text(), stderr: err.text() };
  } finally {
    process.chdir(before.cwd);
    setEnvironment(before.env);
    process.argv = before.argv;
    out.release();
    err.release();
  }
}
