// Python looks for modules in the folder of its program and, for `-c` and `-m`, in the current one, which is the project: so it does in
// the processes that `multiprocessing` starts. With this variable, which Python heeds from 3.11 on, it does neither, and hands that on to
// those processes. Our programs add the verified folder, and take our value away before the tool begins: other programs of the tool
// start as they always do.
export const PYTHON_SAFE_PATH = { PYTHONSAFEPATH: 'rye' } as const
