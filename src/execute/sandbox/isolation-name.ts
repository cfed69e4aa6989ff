// How the processes of a run are kept apart from the machine.

export type IsolationName = 'bubblewrap' | 'process-group'
