import { ApiError } from '@nodecore/api';
import type { CaptureRequestInit } from '@nodecore/api/capture';
import { BpfError, formOf, parse } from '@nodecore/bpf';

import { readNamedText } from '@nodecore/cli';
import { FilterError } from '../errors.ts';

/**
 * The value of --bpf-filter, or what the file after `@` holds: instructions are read here, and text is compiled on the
 * node, which knows the link type of its interfaces.
 *
 * @throws {FilterError}
 */
export async function readFilter(
  value: string,
): Promise<Pick<CaptureRequestInit, 'filter' | 'instructions'>> {
  const text = value.startsWith('@') ? await readNamedText(value.slice(1), '--bpf-filter') : value;
  const form = formOf(text);
  if (form === undefined) return { filter: text.trim() };
  try {
    return { instructions: [...parse(text, form)] };
  } catch (error) {
    throw error instanceof BpfError ? new FilterError(error.message, error) : error;
  }
}

/** The node's complaint about a filter, with its caret; any other failure as it is. */
export function filterErrorOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { reason = '' } = error;
  const isFilter = reason.startsWith('ERR_BPF_') && error.code === 'ERR_API_INVALID';
  return isFilter || reason === 'ERR_CAPTURE_FILTER' ? new FilterError(error.message, error) : error;
}
