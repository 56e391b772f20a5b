#!/usr/bin/env node
import './working-folder.ts';
import { join } from 'node:path';
import { keepRowsYoung } from '../session/keep-rows-young.ts';
import { requireKept } from './kept-code.ts';

const MODULES = {
  open: () => import('open'),
  'exceljs/lib/doc/workbook.js': () => import('exceljs/lib/doc/workbook.js'),
};

keepRowsYoung();
const entry = join(import.meta.dirname, 'catersheet-main.cjs');
const main = requireKept(entry, MODULES, process.argv.slice(2), process.env);
await (main as typeof import('./main.ts')).ended;
