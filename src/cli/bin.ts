#!/usr/bin/env node
import './working-folder.ts';
import { join } from 'node:path';
import { asStop } from '../core/as-stop.ts';
import { COMMANDS } from '../options/commands.ts';
import { keepRowsYoung } from '../session/keep-rows-young.ts';
import { requireKept } from './kept-code.ts';
import { tellStop } from './stops.ts';

const MODULES = {
  open: () => import('open'),
  'exceljs/lib/doc/workbook.js': () => import('exceljs/lib/doc/workbook.js'),
};

/** Asked of any command, and loading little of it. */
const ASKING = ['--help', '-h', '--version', '-V'];

keepRowsYoung();
const words = process.argv.slice(2);
const named = words.find((word) => Object.hasOwn(COMMANDS, word)) ?? 'start';
const command = words.some((word) => ASKING.includes(word)) ? 'help' : named;
const entry = join(import.meta.dirname, 'catersheet-main.cjs');

try {
  const main = requireKept(entry, MODULES, command, process.env) as typeof import('./main.ts');
  await main.ended;
} catch (error) {
  const stop = asStop(error);
  tellStop(words, stop);
  process.exitCode = stop.exit;
}
