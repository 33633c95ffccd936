package holdfast.attack;

/** What liars do: forge the updates they send, or poison the rows they hold and then follow the protocol. */
public sealed interface Attack permits UpdateAttack, RowAttack {}
