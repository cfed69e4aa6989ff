import { testCorpus } from '../corpus.ts'

testCorpus('json', 'json/json')
