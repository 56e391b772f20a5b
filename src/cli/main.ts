#!/usr/bin/env node
import './working-folder.ts';
import { asStop } from '../core/as-stop.ts';
import { EXIT, type ExitCode } from '../core/errors.ts';
import { keepRowsYoung } from '../session/keep-rows-young.ts';
import { keepCompiled } from './kept-code.ts';
import { runProgram, showStop } from './program.ts';
import { watchOutput } from './stops.ts';
import { givenWords } from './usage/words.ts';

keepCompiled(process.env);
keepRowsYoung();

const words = givenWords();

let lost: ExitCode = EXIT.ok;

watchOutput(words, (code) => {
  lost = code;
  process.exitCode ||= code;
});

// What nobody awaits would be shown by Node itself, as it stands.
process.on('uncaughtException', async (error) => {
  await showStop(words, asStop(error));
  process.exit(EXIT.fault);
});

const exitCode = await runProgram(words);
process.exitCode = exitCode === EXIT.ok ? lost : exitCode;
