import { testCorpus } from '../corpus.ts'

testCorpus('yaml', 'yaml/yaml')
