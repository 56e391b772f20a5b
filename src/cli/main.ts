import { asStop, EXIT, type ExitCode } from '../core/errors.ts';
import { runProgram } from './program.ts';
import { tellStop, watchOutput } from './stops.ts';

const words = process.argv.slice(2);

let lost: ExitCode = EXIT.ok;

watchOutput(words, (code) => {
  lost = code;
  process.exitCode ||= code;
});

// What nobody awaits would be shown by Node itself, as it stands.
process.on('uncaughtException', (error) => {
  const stop = asStop(error);
  tellStop(words, stop);
  process.exit(stop.exit);
});

/** Resolves when all is done and the exit code is set. */
export const ended = runProgram(words).then((code) => {
  process.exitCode = code === EXIT.ok ? lost : code;
});
