import { testCorpus } from '../corpus.ts'

testCorpus('shell', 'shell/comments')
