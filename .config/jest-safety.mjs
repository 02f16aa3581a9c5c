// No server that a test started outlives the run, also when its worker was killed: whatever carries the run's mark is ended.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const name = 'KUNGFU_TEST_RUN';

export default () => {
  const mark = `${process.pid}-${Date.now()}`;
  process.env[name] = mark;
  process.once('exit', () => {
    for (const pid of marked(mark)) end(pid);
  });
};

/** Processes of this run, as far as the system tells (Linux). They have got the mark with their environment. */
const marked = (mark) => {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter(
    (pid) =>
      /^\d+$/.test(pid) && Number(pid) !== process.pid && read(`/proc/${pid}/environ`).includes(`${name}=${mark}`),
  );
};

/** Empty when the process has gone meanwhile or is somebody else's. */
const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ESRCH'].includes(error.code)) return '';
    throw error;
  }
};

const end = (pid) => {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};
