import type * as typed from '@commander-js/extra-typings';
import * as commander from 'commander';

/** The classes of commander, with types that infer the flags of a command from its options. */
export const { Command, Option } = commander as unknown as typeof typed;

/** A command of any options. */
export type AnyCommand = typed.CommandUnknownOpts;

/** The flags that the options of a command give to its action. */
export type InferFlags<Declare extends () => { opts(): unknown }> = ReturnType<ReturnType<Declare>['opts']>;
