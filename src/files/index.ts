export { makeAside, move, staleAsides, syncMoves } from './aside.ts'
export {
  atomicWrite,
  isExecutable,
  makeFolder,
  modeOf,
  removeEmptyFolder,
  removeFile,
  type WriteOptions,
} from './atomic-write.ts'
export { canWrite } from './can-write.ts'
export { acquireMutex, isMutexHeld } from './file-mutex.ts'
export {
  type FileState,
  fileState,
  isSameState,
  isSettled,
  type KnownState,
  knownState,
  stampFiles,
  stateAt,
  stateBelow,
} from './file-state.ts'
export { type Folder, openFolder } from './folder.ts'
export { placeLink, readLink } from './link.ts'
export { makeFolders } from './make-folders.ts'
export { makePrivateFolder } from './private-folder.ts'
export { type OpenedFile, openFile, type ReadFile, readFile } from './read-file.ts'
export { removeEmptyFolders } from './remove-empty-folders.ts'
export { isRunning, isUnfinished, ownerTag } from './temporary-name.ts'
export { removeTree, writeTree } from './tree.ts'
export { sweepFolders, writeAll } from './write-all.ts'
