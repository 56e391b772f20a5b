import { EXIT, type ExitCode } from '../../core/errors.ts';
import { showLines } from '../../core/standard-streams.ts';
import type { Given } from '../../options/options.ts';
import { COMPLETION_SCRIPTS } from '../usage/completion.ts';

/** `completion SHELL`: a script that lets a shell complete commands, flags, files, profiles and runs. */
export async function completionCommand({ shell }: Given<'completion'>): Promise<ExitCode> {
  showLines('stdout', COMPLETION_SCRIPTS[shell].split('\n'));
  return EXIT.ok;
}
