#!/usr/bin/env node
import './working-folder.ts';
import { join } from 'node:path';
import { COMMANDS } from '../options/commands.ts';
import { keepRowsYoung } from '../session/keep-rows-young.ts';
import { requireKept } from './kept-code.ts';

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
const main = requireKept(entry, MODULES, command, process.env);
await (main as typeof import('./main.ts')).ended;
