// Completion for shells, made from the same definitions as help: commands, their flags, the values that a flag or a word can have,
// and names of items. Where none of these fits, the shell completes file names.
export { runCompletion } from './run.ts'
