/**
 * Simulated liars: an {@link holdfast.attack.UpdateAttack} forges what the byzantine workers send, a
 * {@link holdfast.attack.RowAttack} poisons the rows they train on, and a {@link holdfast.attack.RawAttack} poisons the
 * rows they hand in, before anything is learnt from these. An attack on updates knows what the paper grants it: every
 * honest update, the rule, which it may try out, and how many lies the rule tolerates. An attack on raw rows knows all
 * rows and may try out how they are prepared. A new attack is one class here, one line in
 * {@link holdfast.attack.Attacks} and one test that extends {@code AttackContract}, {@code RowAttackContract} or
 * {@code RawAttackContract}.
 */
package holdfast.attack;
