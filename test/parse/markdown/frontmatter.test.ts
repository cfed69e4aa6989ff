import { testCorpus } from '../corpus.ts'

testCorpus('markdown-frontmatter', 'markdown/frontmatter')
