// Runs the built program again and again in this process, as it would run by itself: its entry is evaluated anew
// each time, the rest of it is loaded once.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);

const loose = [];
process.on('unhandledRejection', (error) => loose.push(`unhandled rejection: ${error?.stack ?? error}`));
process.on('uncaughtException', (error) => loose.push(`uncaught exception: ${error?.stack ?? error}`));
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

const open = () =>
  process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap' || one === 'Timeout').length;

/** The most memory since this was asked last, MB, where the system tells it by the run. */
function peak() {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    return kilobytes / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

let runs = 0;
process.on('message', async ({ program, args, env }) => {
  const said = { out: '', err: '' };
  const keep = (name) => (chunk, encoding, done) => {
    said[name] += String(chunk);
    const call = typeof encoding === 'function' ? encoding : done;
    if (call) queueMicrotask(call);
    return true;
  };
  process.stdout.write = keep('out');
  process.stderr.write = keep('err');
  Object.assign(process.env, env);
  process.argv = [process.argv[0], program, ...args];
  process.exitCode = undefined;
  forgetPeak();
  const before = open();
  const started = performance.now();
  try {
    // Its parts are read once in a process, and are to begin anew.
    for (const part of Object.keys(require.cache))
      if (/catersheet-[^/]*\.cjs$/.test(part)) delete require.cache[part];
    await import(`${program}?${++runs}`);
  } catch (error) {
    loose.push(`the entry throws: ${error?.stack ?? error}`);
  }
  const ms = performance.now() - started;
  await sleep(20);
  for (let wait = 0; wait < 20 && open() > before; wait++) await sleep(100);
  if (open() > before) loose.push(`left open: ${process.getActiveResourcesInfo().join(' ')}`);
  process.send({ code: process.exitCode ?? 0, ...said, ms, megabytes: peak(), loose: loose.splice(0) });
});
process.send('ready');
