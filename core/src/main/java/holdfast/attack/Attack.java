package holdfast.attack;

/**
 * What liars do: forge the updates they send, or poison the rows they hold, before or after these are prepared, and then
 * follow the protocol.
 */
public sealed interface Attack permits UpdateAttack, RowAttack, RawAttack {}
