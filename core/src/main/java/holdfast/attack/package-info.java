/**
 * Simulated liars: an {@link holdfast.attack.UpdateAttack} forges what the byzantine workers send, a
 * {@link holdfast.attack.RowAttack} poisons the rows they hold. An attack on updates knows what the paper grants it:
 * every honest update, the rule, which it may try out, and how many lies the rule tolerates. A new attack is one class
 * here, one line in {@link holdfast.attack.Attacks} and one test that extends {@code AttackContract} or
 * {@code RowAttackContract}.
 */
package holdfast.attack;
