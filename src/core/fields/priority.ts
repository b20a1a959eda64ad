/** The number of RFC 5545 as the steps that people see. */
export type PriorityBucket = 'high' | 'medium' | 'low' | 'none';

/**
 * RFC 5545 3.8.1.9: 1–4 high, 5 medium, 6–9 low.
 *
 * @example
 * bucketOf(3) // 'high'
 */
export const bucketOf = (priority: number): PriorityBucket =>
  priority === 0 ? 'none' : priority < 5 ? 'high' : priority === 5 ? 'medium' : 'low';

/** The priorities by their keys in trees and widgets. */
export const priorityKeys: Readonly<Record<string, number>> = { 1: 1, 2: 5, 3: 9, 0: 0 };

/** The number that a bucket is written as; most clients write the same. */
export const priorityOf: Record<PriorityBucket, number> = { high: 1, medium: 5, low: 9, none: 0 };
