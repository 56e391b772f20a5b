import { EXIT } from '../errors.ts';
import { type Check, checkService, passed } from '../pipeline/check-service.ts';
import { orStop } from '../pipeline/or-stop.ts';
import { endpoints } from '../resources/endpoints.ts';
import type { Session } from '../session/open-session.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { withSession } from './with-session.ts';

/** `check`: is the service reachable, the token good, every lookup readable, and what does the dialect look like. */
export const checkCommand: Command<CommonFlags> = {
  builder: commonFlags,
  run: (flags) =>
    withSession(flags, async (session, view) => {
      const checks = await orStop(session.context, () => runChecks(session));
      view.showCheck(session.context.serviceName, checks);
      return passed(checks) ? EXIT.ok : EXIT.service;
    }),
};

async function runChecks({ context }: Session): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const check of checkService(context, endpoints)) checks.push(check);
  return checks;
}
