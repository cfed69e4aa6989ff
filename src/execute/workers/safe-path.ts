// Python looks for modules in the folder of its program and, for `-c` and `-m`, in the current folder, which
// is the project. So do the processes that `multiprocessing` starts. With this variable, which Python obeys
// from 3.11 on, it looks in neither, and passes this on to those processes. Our programs add the verified
// folder, and remove our value before the tool begins, so other programs of the tool start as they always do.
export const PYTHON_SAFE_PATH = { PYTHONSAFEPATH: 'rye' } as const
