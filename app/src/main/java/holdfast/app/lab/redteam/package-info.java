/**
 * The red team: finds out what would break a rule on the user's data. A {@link holdfast.app.lab.redteam.RedTeamPlan}
 * says which rules, attacks, shifts and numbers of liars to try; {@link holdfast.app.lab.redteam.RedTeam} trains every
 * combination and writes each into a {@link holdfast.app.lab.redteam.Journal}, so that a stopped run can continue;
 * {@link holdfast.app.lab.redteam.RedTeamResults} has the numbers. {@link holdfast.app.lab.redteam.Breakpoints} looks
 * for one number per rule: the fewest liars that defeat it.
 */
package holdfast.app.lab.redteam;
