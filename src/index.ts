export { EXIT, type ExitCode, StopError } from './errors.ts';
