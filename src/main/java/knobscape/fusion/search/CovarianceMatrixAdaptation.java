package knobscape.fusion.search;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.optim.InitialGuess;
import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.MaxIter;
import org.hipparchus.optim.SimpleBounds;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.nonlinear.scalar.ObjectiveFunction;
import org.hipparchus.optim.nonlinear.scalar.noderiv.CMAESOptimizer;
import org.hipparchus.random.Well19937c;

/// CMA-ES with rank-mu update (Hansen 2006), by Hipparchus; population 4 + floor(3 ln d). Where it sees no differences any more it starts again from the middle.
public record CovarianceMatrixAdaptation() implements Searcher {
    @Override
    public void search(Trials trials, SplittableRandom random) {
        var space = new Coordinates(trials.model());
        int d = space.dimension();
        int lambda = 4 + (int) (3 * Math.log(d));
        double[] start = filled(d, space.middle());
        while (true) {
            var optimizer = new CMAESOptimizer(Integer.MAX_VALUE, 0, false, 0, 0, new Well19937c(random.nextLong()), false, null);
            try {
                optimizer.optimize(new ObjectiveFunction(x -> trials.fitness(space.decode(x))), GoalType.MINIMIZE, new InitialGuess(start),
                        new SimpleBounds(filled(d, space.low()), filled(d, space.high())), new CMAESOptimizer.Sigma(filled(d, space.sigma())), new CMAESOptimizer.PopulationSize(lambda),
                        new MaxEval(Integer.MAX_VALUE), MaxIter.unlimited());
            } catch (MathRuntimeException e) {
                // Its matrix degenerated; a fresh start is the usual answer.
                continue;
            }
        }
    }

    private static double[] filled(int d, double value) {
        double[] x = new double[d];
        Arrays.fill(x, value);
        return x;
    }
}
