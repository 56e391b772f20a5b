#!/usr/bin/env node
import './working-folder.ts';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { asStop } from '../core/errors.ts';
import { showLines } from '../core/standard-streams.ts';
import { tellStop } from './stops.ts';

// From version 22 on Node keeps compiled code, and starts in half the time with it: where no other user can write.
const home = process.env.CATERSHEET_HOME;
const kept = home ? join(home, 'code') : envPaths('catersheet', { suffix: '' }).cache;
(module as { enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(kept);

const words = process.argv.slice(2);
const require = createRequire(import.meta.url);

try {
  if (words.some((word) => word === '--version' || word === '-V')) {
    const { version } = require('catersheet/package.json') as { readonly version: string };
    showLines('stdout', [version]);
  } else {
    // `program.ts`, bundled: Node finds and reads files of CommonJS in half the time.
    const main = require(join(import.meta.dirname, 'catersheet-main.cjs')) as typeof import('./program.ts');
    await main.startProgram();
  }
} catch (error) {
  const stop = asStop(error);
  tellStop(words, stop);
  process.exitCode = stop.exit;
}
