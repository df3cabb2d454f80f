import { styles } from './styles.js';

/** Says in one line on stderr what is wrong. */
export function complain(line: string): void {
  process.stderr.write(`${styles(process.stderr).red('taskdouble:')} ${line}\n`);
}

/** Says in one line on stderr what deserves attention. */
export function warn(line: string): void {
  process.stderr.write(`${styles(process.stderr).yellow('taskdouble:')} ${line}\n`);
}
