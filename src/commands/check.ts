import { EXIT } from '../errors.ts';
import { type Check, checkService } from '../pipeline/check-service.ts';
import { orStop } from '../pipeline/or-stop.ts';
import type { Session } from '../session/open-session.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { withSession } from './with-session.ts';

/** `check`: is the service reachable, the token good, every lookup readable, and what does the dialect look like. */
export const checkCommand: Command<CommonFlags> = {
  command: 'check',
  describe: 'Try the service: reachable, token good, lists and lookups readable',
  builder: commonFlags,
  run: (flags) =>
    withSession(flags, async (session) => {
      const checks = await orStop(session.context, () => runChecks(session));
      const { serviceName: service } = session.context;
      process.stdout.write(
        flags.json === undefined
          ? checkText(checks, session)
          : `${JSON.stringify({ service, ok: true, checks }, null, 2)}\n`,
      );
      return EXIT.ok;
    }),
};

async function runChecks({ context }: Session): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const check of checkService(context)) checks.push(check);
  return checks;
}

function checkText(checks: readonly Check[], { context, settings }: Session): string {
  const width = Math.max(...checks.map(({ what }) => what.length));
  const lines = checks.map(
    ({ what, ok, found }) => `  ${ok ? 'ok' : '! '}  ${what.padEnd(width)}  ${found[settings.lang]}`,
  );
  return `${context.serviceName}\n${lines.join('\n')}\n`;
}
