import { testCorpus } from '../corpus.ts'

testCorpus('toml', 'toml/toml')
