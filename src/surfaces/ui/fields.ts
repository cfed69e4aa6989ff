// The options of `rye ui`. Flags, checks, help and completion follow from them, as for every other command.
import type { Fields } from '../../actions/index.ts'

export const UI_FIELDS = {
  port: {
    type: 'integer',
    about: 'port on 127.0.0.1; without it, or with 0, a free one',
    minimum: 0,
    maximum: 65_535,
    default: 0,
    flag: { value: 'N' },
  },
  no_open: { type: 'boolean', about: 'print the address, open no browser', default: false },
  read_only: { type: 'boolean', about: 'nothing can be run or signed from the page', default: false },
  also: {
    type: 'strings',
    about: 'another project to show; may be repeated',
    default: [],
    flag: { value: 'DIR' },
  },
  project_path: {
    type: 'string',
    about: 'the project to show first',
    required: true,
    filled: true,
    flag: { hidden: true },
  },
} as const satisfies Fields
