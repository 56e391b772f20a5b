#!/usr/bin/env node
import './working-folder.ts';
import { join } from 'node:path';
import { keepRowsYoung } from '../session/keep-rows-young.ts';
import { requireKept } from './kept-code.ts';

keepRowsYoung();
const main = requireKept(
  join(import.meta.dirname, 'catersheet-main.cjs'),
  process.argv.slice(2),
  process.env,
);
await (main as typeof import('./main.ts')).ended;
